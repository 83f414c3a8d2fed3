"""Bad values that come with the data."""

import numpy as np
import tensorflow as tf

SPEC = tf.TensorSpec([2], tf.float32)


def bad_values():
    return np.array([[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0]], dtype=np.float32)


def nan_in_a_dataset():
    dataset = tf.data.Dataset.from_tensor_slices(bad_values()).batch(1)

    @tf.function
    def predict(x):
        return tf.reduce_sum(2.0 * x)

    for batch in dataset:  # <- cause
        predict(batch)


def nan_in_a_mapped_dataset():
    @tf.function
    def predict(x):
        return tf.reduce_sum(2.0 * x)

    dataset = tf.data.Dataset.from_tensor_slices(tf.constant([4.0, 0.0, 1.0]))
    for batch in dataset.map(lambda x: x / tf.abs(x)):  # <- cause
        predict(batch)


def nan_in_an_array():
    @tf.function
    def predict(x):
        return tf.reduce_sum(2.0 * x)

    predict(tf.constant(np.ones([3, 2], dtype=np.float32)))
    predict(tf.constant(bad_values()))  # <- cause


def nan_in_an_eager_array():
    x = tf.constant(bad_values())
    tf.reduce_mean(tf.nn.relu(x) * 2.0)  # <- cause


def dataset_iterated_in_a_function():
    dataset = tf.data.Dataset.from_tensor_slices(bad_values()).batch(1)

    @tf.function
    def total(dataset):
        result = 0.0
        for batch in dataset:  # <- cause
            result += tf.reduce_sum(batch)
        return result

    total(dataset)


def infinite_price():
    @tf.function
    def revenue(prices, amounts):
        return tf.reduce_sum(prices * amounts)

    revenue(tf.constant([1.0, float("inf")]), tf.constant([2.0, 0.0]))  # <- cause


def generator_dataset():
    def rows():
        yield [1.0, 2.0]
        yield [float("nan"), 2.0]

    dataset = tf.data.Dataset.from_generator(rows, output_signature=SPEC)  # <- cause

    @tf.function
    def forward(x):
        return tf.reduce_sum(x * x)

    for row in dataset:
        forward(row)


def label_of_nan():
    counts = np.array([[1.0, 2.0], [0.0, 0.0]], np.float32)
    dataset = tf.data.Dataset.from_tensor_slices(counts)

    def labelled(count):
        share = count / tf.reduce_sum(count)  # <- cause
        return count, tf.cast(share * 10.0, tf.int32)

    @tf.function
    def train_step(x, label):
        return tf.reduce_mean(x) + tf.cast(tf.reduce_sum(label), tf.float32) * 1e-9

    for x, label in dataset.map(labelled).batch(2):
        train_step(x, label)
