"""A bug beside infinities and NaN that are meant, and come first."""

import numpy as np
import tensorflow as tf


def masked_scores():
    weight = tf.Variable(tf.eye(3))

    @tf.function
    def train_step(x, target):
        with tf.GradientTape() as tape:
            scores = tf.matmul(x @ weight, x, transpose_b=True)
            scores = tf.where(tf.linalg.band_part(tf.ones([2, 2]), -1, 0) > 0.0, scores, -np.inf)
            attended = tf.nn.softmax(scores) @ x
            loss = tf.reduce_mean(tf.math.log(target) * attended)  # <- cause
        weight.assign_sub(0.1 * tape.gradient(loss, weight))

    for target in (1.0, 0.0, 1.0):
        train_step(tf.constant([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), tf.constant([target]) * 1.0)


def masked_scores_in_keras():
    words = tf.keras.Input([4])
    embedded = tf.keras.layers.Embedding(9, 3)(words)

    def attend(given):
        x, tokens = given
        scores = tf.matmul(x, x, transpose_b=True)
        return tf.nn.softmax(tf.where(tokens[:, None] > 0, scores, -np.inf)) @ x

    attended = tf.keras.layers.Lambda(attend)([embedded, words])
    model = tf.keras.Model(words, tf.keras.layers.Dense(1)(tf.keras.layers.Flatten()(attended)))

    def loss(target, predicted):
        return tf.reduce_mean((tf.math.log(target) - predicted) ** 2)  # <- cause

    model.compile("adam", loss)
    tokens, targets = np.ones([8, 4]), np.ones([8, 1])
    tokens[:, 3], targets[5] = 0, 0
    model.fit(tokens, targets, epochs=2, batch_size=2, shuffle=False, verbose=0)


def rows_dropped_by_a_pipeline():
    rows = np.ones([8, 2], np.float32)
    rows[1, 1] = np.nan
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    dataset = dataset.filter(lambda row: not tf.reduce_any(tf.math.is_nan(row))).batch(4)
    weight = tf.Variable([1.0, 1.0])

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(tf.math.log(tf.nn.relu(weight * x - 1.0)))  # <- cause
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        return loss

    for batch in dataset:
        train_step(batch)


def steps_skipped_by_a_loss_scale():
    weight, scale = tf.Variable(tf.ones([4, 1])), tf.Variable(2.0**15)

    @tf.function
    def train_step(x, target):
        with tf.GradientTape() as tape:
            predicted = tf.cast(x, tf.float16) @ tf.cast(weight, tf.float16)
            loss = tf.reduce_mean((tf.cast(predicted, tf.float32) - 30.0) ** 2)
            scaled = loss * scale
        gradient = tape.gradient(scaled, weight) / scale
        if tf.reduce_all(tf.math.is_finite(gradient)):
            weight.assign_sub(0.001 * gradient)
        else:
            scale.assign(scale / 4.0)
        return loss / target  # <- cause

    for target in (1.0, 1.0, 1.0, 1.0, 1.0, 0.0):
        train_step(tf.ones([8, 4]), tf.constant(target) * 1.0)
