"""Bad values inside of loops, branches and nested functions."""

import tensorflow as tf


def at_a_later_pass():
    @tf.function
    def shrink(x):
        for _ in tf.range(6):
            x = tf.math.log(x)  # <- cause
        return x

    shrink(tf.constant(20.0) * 1.0)


def growing_in_a_loop():
    @tf.function
    def grow(x):
        for _ in tf.range(8):
            x = x * x  # <- cause
        return x

    grow(tf.constant(10.0) * 3.0)


def in_one_branch():
    @tf.function
    def score(x):
        if tf.reduce_sum(x) > 0.0:
            y = 1.0 / x  # <- cause
        else:
            y = tf.nn.relu(x)
            y += 1.0
        return tf.reduce_mean(y)

    score(tf.constant([-1.0]) * 1.0)
    score(tf.nn.relu(tf.constant([-1.0, 1.0])))


def in_a_nested_function():
    @tf.function
    def inner(x):
        return tf.math.rsqrt(x)  # <- cause

    @tf.function
    def outer(x):
        return tf.reduce_sum(inner(tf.nn.relu(x)) * 2.0)

    outer(tf.constant([-1.0, 1.0]) * 1.0)


def in_a_mapped_function():
    @tf.function
    def ratios(x):
        return tf.map_fn(lambda row: row / tf.reduce_sum(row), x)  # <- cause

    ratios(tf.nn.relu(tf.constant([[1.0, 2.0], [-1.0, -1.0]])))


def gradient_through_a_loop():
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(3):
                y = tf.sqrt(y)  # <- cause
        return tape.gradient(y, x)

    gradient(tf.nn.relu(tf.constant(-1.0)))


def recurrent_overflow():
    @tf.function
    def unroll(state, weights):
        for _ in tf.range(30):
            state = tf.matmul(state, weights)  # <- cause
        return state

    unroll(tf.ones([1, 2]), 50.0 * tf.ones([2, 2]))


def in_a_scan():
    @tf.function
    def running(x):
        return tf.scan(lambda total, row: total / row, x)  # <- cause

    running(tf.nn.relu(tf.constant([1.0, 2.0, -1.0, 3.0])))


def diverging_newton():
    @tf.function
    def solve(x):
        def body(i, x):
            return i + 1, x - tf.sign(x) * tf.pow(tf.abs(x), 3.0)  # <- cause

        return tf.while_loop(lambda i, x: i < 12, body, [0, x])

    solve(tf.constant(3.0) * 1.0)


def in_a_case():
    @tf.function
    def choose(branch, x):
        return tf.switch_case(branch, [lambda: x + 1.0, lambda: tf.math.log(x)])  # <- cause

    choose(tf.constant(0), tf.zeros([2]))
    choose(tf.constant(1), tf.zeros([2]) * 1.0)


def gradient_of_a_growing_loop():
    weight = tf.Variable(tf.ones([4, 4]) * 50.0)

    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            state = tf.ones([1, 4])
            for _ in tf.range(30):
                state = tf.nn.relu(state @ weight)  # <- cause
            loss = tf.reduce_sum(state)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))

    train_step()
