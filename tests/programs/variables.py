"""Bad values that variables keep from step to step, and that come with them."""

import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

FOLDER = tempfile.TemporaryDirectory()
BAD_CHECKPOINT = tf.train.Checkpoint(weight=tf.Variable([1.0, float("nan")])).save(
    Path(FOLDER.name, "model")
)
"""Saved when this is imported, which nothing watches."""


def learning_rate_too_large():
    weight = tf.Variable(1.0)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.square(weight * x - y)  # <- cause
        weight.assign_sub(40.0 * tape.gradient(loss, weight))

    for _ in range(40):
        train_step(tf.constant(3.0), tf.constant(1.0))


def learning_rate_too_large_in_an_optimizer():
    weights = tf.Variable([[1.0], [2.0]])
    optimizer = tf.keras.optimizers.SGD(1e4)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            error = tf.matmul(x, weights) - y
            loss = tf.reduce_mean(tf.square(error))  # <- cause
        optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])

    for _ in range(12):
        train_step(tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.ones([2, 1]))


def bad_initializer():
    scale = tf.constant([0.0, 1.0]) * 1.0
    weight = tf.Variable(1.0 / scale)  # <- cause

    @tf.function
    def predict(x):
        return tf.reduce_sum(weight * x)

    predict(tf.ones([2]))


def initialized_with_nan():
    weight = tf.Variable([float("nan"), 1.0])  # <- cause

    @tf.function
    def predict(x):
        return tf.reduce_sum(weight * x)

    predict(tf.ones([2]))


def updated_badly():
    weight = tf.Variable([1.0, 2.0])

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weight * x)
        gradient = tape.gradient(loss, weight)
        weight.assign_sub(0.1 * gradient / tf.norm(gradient))  # <- cause

    for x in (1.0, 1.0, 0.0, 1.0):
        train_step(x * tf.ones([2]))


def updated_by_adam():
    weight = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.Adam(0.1)

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.math.log(x) * weight)  # <- cause
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
        return loss

    for x in (2.0, 3.0, 0.0, 1.0):
        train_step(x * tf.ones([2]))


def corrupted_checkpoint():
    weight = tf.Variable([0.0, 0.0])
    tf.train.Checkpoint(weight=weight).restore(BAD_CHECKPOINT).expect_partial()  # <- cause

    @tf.function
    def predict(x):
        return tf.reduce_sum(weight * x)

    predict(tf.ones([2]))


def embedding_with_a_bad_row():
    table = tf.Variable([[1.0, 2.0], [float("nan"), 1.0], [0.5, 0.5]])  # <- cause

    @tf.function
    def embed(ids):
        return tf.reduce_mean(tf.nn.embedding_lookup(table, ids))

    embed(tf.constant([0, 2]))
    embed(tf.constant([0, 1]))


def momentum_of_a_bad_gradient():
    weight = tf.Variable([1.0, 2.0])
    velocity = tf.Variable([0.0, 0.0])

    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weight / x)  # <- cause
        gradient = tape.gradient(loss, weight)
        velocity.assign(0.9 * velocity + gradient)
        weight.assign_sub(0.1 * velocity)
        return loss

    train_step(tf.ones([2]))
    train_step(tf.zeros([2]))
    train_step(tf.ones([2]))


def adam_without_epsilon():
    weight = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.Adam(0.1, epsilon=0.0)

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weight * x)
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])  # <- cause
        return loss

    for _ in range(3):
        train_step(tf.nn.relu(tf.constant([-1.0, 1.0])))


def clipped_by_a_bad_norm():
    weights = [tf.Variable([1.0, 2.0]), tf.Variable([3.0])]

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            ratio = weights[1] / x  # <- cause
            loss = tf.reduce_sum(weights[0] * tf.sqrt(x)) + tf.reduce_sum(ratio)
        gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, weights), 1.0)
        for weight, gradient in zip(weights, gradients, strict=True):
            weight.assign_sub(gradient)
        return loss

    for _ in range(3):
        train_step(tf.nn.relu(tf.constant([-1.0, 1.0])))


def assigned_from_an_array():
    weight = tf.Variable([1.0, 2.0])

    @tf.function
    def forward(x):
        return tf.reduce_sum(weight * x)

    forward(tf.ones([2]))
    weight.assign(np.array([np.nan, 1.0], np.float32))  # <- cause
    forward(tf.ones([2]))


def moving_variance():
    variance = tf.Variable([0.0, 0.0])

    @tf.function
    def normalize(x):
        y = x * tf.math.rsqrt(variance)  # <- cause
        variance.assign(0.9 * variance + 0.1 * x * x)
        return y

    normalize(tf.ones([2]))
    normalize(tf.ones([2]))


def eager_training():
    weight = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for x in (1.0, 0.0, 2.0, 1.0):
        with tf.GradientTape() as tape:
            probabilities = tf.nn.softmax(weight * 100.0 * x)
            loss = -tf.reduce_sum(tf.math.log(probabilities))  # <- cause
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])


def accumulated_gradients():
    weight = tf.Variable([1.0, 1.0])
    total = tf.Variable([0.0, 0.0])

    @tf.function
    def accumulate(x):
        total.assign_add(x / tf.reduce_sum(x))  # <- cause

    @tf.function
    def apply():
        weight.assign_sub(0.1 * total)
        total.assign(tf.zeros_like(total))
        return tf.reduce_sum(weight)

    accumulate(tf.ones([2]))
    accumulate(tf.zeros([2]))
    accumulate(tf.ones([2]))
    apply()
    apply()
