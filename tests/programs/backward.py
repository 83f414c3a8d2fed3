"""Bad values that only the gradient has."""

import tensorflow as tf


def gradient_of(function, x):
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return tape.gradient(y, x)

    return gradient(x)


def root_at_zero():
    def distance(x):
        return tf.reduce_sum(tf.sqrt(x))  # <- cause

    gradient_of(distance, tf.nn.relu(tf.constant([-1.0, 4.0])))


def norm_at_zero():
    def length(x):
        return tf.norm(x)  # <- cause

    gradient_of(length, tf.nn.relu(tf.constant([-1.0, -4.0])))


def normalized_without_epsilon():
    def direction(x):
        return tf.reduce_sum(tf.math.l2_normalize(x, epsilon=0.0))  # <- cause

    gradient_of(direction, tf.nn.relu(tf.constant([-1.0, -4.0])))


def branch_not_taken():
    def safe_log(x):
        return tf.reduce_sum(tf.where(x > 0.0, tf.math.log(x), 0.0))  # <- cause

    gradient_of(safe_log, tf.nn.relu(tf.constant([-1.0, 4.0])))


def quotient_not_taken():
    def safe_ratio(x):
        ratio = (x + 1.0) / x  # <- cause
        return tf.reduce_sum(tf.where(x > 0.0, ratio, tf.zeros_like(x)))

    gradient_of(safe_ratio, tf.nn.relu(tf.constant([-1.0, 4.0])))


def power_at_zero():
    def cost(x):
        return tf.reduce_sum(x**0.5)  # <- cause

    gradient_of(cost, tf.nn.relu(tf.constant([-1.0, 4.0])))


def custom_gradient():
    @tf.custom_gradient
    def clipped_inverse(x):
        def backward(upstream):
            return -upstream / (x * x)  # <- cause

        return tf.math.divide_no_nan(1.0, x), backward

    gradient_of(lambda x: tf.reduce_sum(clipped_inverse(x)), tf.nn.relu(tf.constant([-1.0, 4.0])))


def float16_gradient_overflow():
    def loss(x):
        scaled = tf.cast(x, tf.float16) * tf.cast(8.0, tf.float16)  # <- cause
        return 30000.0 * tf.cast(tf.reduce_sum(scaled), tf.float32)

    gradient_of(loss, tf.constant([1.0, 2.0]) * 1.0)


def arc_cosine_at_one():
    def angle(x):
        return tf.reduce_sum(tf.acos(x))  # <- cause

    gradient_of(angle, tf.clip_by_value(tf.constant([2.0, 0.5]), -1.0, 1.0))


def eager_root_at_zero():
    x = tf.nn.relu(tf.constant([-1.0, 4.0]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sqrt(x))  # <- cause
    tape.gradient(y, x)


def norm_of_a_function():
    @tf.function
    def length(x):
        return tf.sqrt(tf.reduce_sum(x * x))  # <- cause

    x = tf.nn.relu(tf.constant([-1.0, -4.0]))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = length(x)
    tape.gradient(y, x)


def gradient_penalty():
    @tf.function
    def penalty(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(tf.nn.relu(x))
            slope = inner.gradient(y, x)
            norm = tf.sqrt(tf.reduce_sum(tf.square(slope * x)))  # <- cause
        return outer.gradient(norm, x)

    penalty(tf.nn.relu(tf.constant([-1.0, -4.0])))


def all_steps_skipped():
    weight, scale = tf.Variable(tf.zeros([2])), tf.Variable(2.0**15)

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            norm = tf.sqrt(tf.reduce_sum(tf.square(tf.cast(weight * x, tf.float16))))  # <- cause
            scaled = tf.cast(norm, tf.float32) * scale
        gradient = tape.gradient(scaled, weight) / scale
        if tf.reduce_all(tf.math.is_finite(gradient)):
            weight.assign_sub(gradient)
        else:
            scale.assign(scale / 2.0)

    for _ in range(4):
        train_step(tf.constant([1.0, 2.0]))
