"""Bad values that a forward computation makes."""

import numpy as np
import tensorflow as tf


def log_of_zero():
    @tf.function
    def cross_entropy(labels, probabilities):
        return -tf.reduce_sum(labels * tf.math.log(probabilities))  # <- cause

    cross_entropy(tf.ones([2]), tf.nn.relu(tf.constant([-1.0, 0.5])))


def log_of_saturated_softmax():
    @tf.function
    def cross_entropy(labels, logits):
        probabilities = tf.nn.softmax(logits)
        return -tf.reduce_mean(labels * tf.math.log(probabilities))  # <- cause

    cross_entropy(tf.constant([[0.0, 1.0]]), 100.0 * tf.constant([[3.0, -2.0]]))


def zero_over_zero():
    @tf.function
    def mean_of_masked(x, mask):
        return tf.reduce_sum(x * mask) / tf.reduce_sum(mask)  # <- cause

    mean_of_masked(tf.constant([1.0, 2.0]), tf.nn.relu(tf.constant([-1.0, -2.0])))


def deviation_of_a_constant_batch():
    @tf.function
    def normalize(x):
        centered = x - tf.reduce_mean(x)
        return centered / tf.math.reduce_std(x)  # <- cause

    normalize(tf.fill([4], 3.0))


def exponential_overflow():
    @tf.function
    def variance(log_variance):
        return tf.reduce_mean(tf.exp(log_variance))  # <- cause

    variance(50.0 * tf.constant([1.0, 2.0]))


def naive_softmax():
    @tf.function
    def softmax(logits):
        powers = tf.exp(logits)  # <- cause
        return powers / tf.reduce_sum(powers)

    softmax(tf.range(4.0) * 50.0)


def float16_overflow():
    @tf.function
    def energy(x):
        half = tf.cast(x, tf.float16)
        return tf.reduce_sum(half * half)  # <- cause

    energy(tf.constant([300.0, 2.0]) * 1.0)


def float16_epsilon():
    @tf.function
    def normalize(x):
        half = tf.cast(x, tf.float16)
        return half / (tf.abs(half) + tf.cast(1e-8, tf.float16))  # <- cause

    normalize(tf.nn.relu(tf.constant([-1.0, 2.0])))


def power_of_a_negative():
    @tf.function
    def gamma(x):
        return tf.pow(x, 0.5)  # <- cause

    gamma(tf.constant([-1.0, 4.0]) * 2.0)


def arc_cosine_out_of_range():
    @tf.function
    def angle(a, b):
        cosine = tf.reduce_sum(a * b)
        return tf.acos(cosine)  # <- cause

    angle(tf.constant([1.0, 0.2]) * 1.0, tf.constant([1.0, 0.2]) * 1.0)


def root_of_a_negative_variance():
    def deviation(x):
        variance = tf.reduce_mean(x * x) - tf.square(tf.reduce_mean(x)) - 1e-3
        return tf.sqrt(variance)  # <- cause

    deviation(tf.fill([3], 1.0))


def mean_of_nothing():
    @tf.function
    def mean_of_positive(x):
        return tf.reduce_mean(tf.boolean_mask(x, x > 0.0))  # <- cause

    mean_of_positive(-tf.constant([1.0, 2.0])) + 1.0


def singular_matrix():
    @tf.function
    def solve(x):
        gram = tf.matmul(x, x, transpose_a=True)
        cofactors = tf.stack([[gram[1, 1], -gram[0, 1]], [-gram[1, 0], gram[0, 0]]])
        return cofactors / tf.linalg.det(gram)  # <- cause

    solve(tf.constant([[1.0, 1.0], [1.0, 1.0]]) * 1.0)


def product_overflow():
    @tf.function
    def likelihood(x):
        return tf.math.log(tf.math.cumprod(x))  # <- cause

    likelihood(tf.fill([60], 10.0))


def average_over_a_count():
    @tf.function
    def average(x, flags):
        count = tf.reduce_sum(tf.cast(flags, tf.int32))
        return tf.reduce_sum(x) * tf.math.reciprocal(tf.cast(count, tf.float32))  # <- cause

    average(tf.ones([3]), tf.constant([False, False, False]))


def eager_entropy():
    probabilities = tf.nn.relu(tf.constant([-0.5, 0.5]))
    entropy = probabilities * tf.math.log(probabilities)  # <- cause
    tf.reduce_sum(entropy)


def fully_masked_row():
    @tf.function
    def attend(scores, mask):
        return tf.nn.softmax(scores + tf.math.log(mask))  # <- cause

    attend(tf.ones([2, 3]), tf.nn.relu(tf.constant([[1.0, 0.0, 1.0], [0.0, -1.0, 0.0]])))


def divergence():
    @tf.function
    def kl(p, q):
        return tf.reduce_sum(p * tf.math.log(p / q))  # <- cause

    kl(tf.constant([0.5, 0.5]) * 1.0, tf.nn.relu(tf.constant([1.0, -1.0])))


def log_of_sigmoid():
    @tf.function
    def loss(x):
        return -tf.reduce_mean(tf.math.log(tf.sigmoid(x)))  # <- cause

    loss(tf.constant([-200.0, 1.0]) * 1.0)


def numpy_function():
    def centered(x):
        return np.where(x > 0, x, np.nan).astype(np.float32)

    @tf.function
    def forward(x):
        y = tf.numpy_function(centered, [x], tf.float32)  # <- cause
        return tf.reduce_sum(y)

    forward(tf.constant([-1.0, 2.0]) * 1.0)


def float16_variance():
    @tf.function
    def normalize(x):
        half = tf.cast(x, tf.float16)
        variance = tf.reduce_mean(tf.square(half - tf.reduce_mean(half)))  # <- cause
        return half * tf.math.rsqrt(variance + 1e-3)

    normalize(tf.constant([1000.0, -1000.0]) * 1.0)


def first_of_two():
    @tf.function
    def first(x):
        return tf.reduce_sum(tf.math.log(x))  # <- cause

    @tf.function
    def second(x):
        return tf.reduce_sum(1.0 / x) + 1.0

    x = tf.nn.relu(tf.constant([-1.0, 1.0]))
    first(x)
    second(x)
    second(x)


def row_masked_wholly():
    @tf.function
    def attend(scores, lengths):
        is_word = tf.sequence_mask(lengths, 3)
        masked = tf.where(is_word, scores, -np.inf)  # <- cause
        return tf.nn.softmax(masked)

    attend(tf.ones([2, 3]), tf.constant([2, 0]))


def result_whose_shape_is_asked_for():
    scores = tf.math.log(tf.constant([-1.0, -2.0]) * 1.0)  # <- cause
    assert tf.shape(scores).numpy() == 2


def printed_infinity():
    @tf.function
    def report(total):
        ratio = 1.0 / total  # <- cause
        tf.print("ratio", ratio)

    report(tf.constant([0.0, 1.0]) * 1.0)


def threshold_of_nan():
    @tf.function
    def flag(x):
        return tf.greater(x, tf.constant([0.5, np.nan]))  # <- cause

    flag(tf.constant([1.0, 1.0]) * 1.0)
