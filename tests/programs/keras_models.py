"""Bad values in models that Keras trains."""

import numpy as np
import tensorflow as tf

X = np.linspace(-1.0, 1.0, 16, dtype=np.float32).reshape(8, 2)
Y = np.ones([8, 1], dtype=np.float32)


def custom_loss():
    def relative_error(y_true, y_pred):
        return tf.reduce_mean(tf.abs(y_true - y_pred) / tf.abs(y_true))  # <- cause

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss=relative_error)
    model.fit(X, np.zeros_like(Y), epochs=1, batch_size=4, verbose=0)


def custom_layer():
    class Standardize(tf.keras.layers.Layer):
        def call(self, inputs):
            return tf.math.log(inputs)  # <- cause

    model = tf.keras.Sequential([Standardize(), tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(X, Y, epochs=1, batch_size=8, verbose=0)


def fit_with_a_callback():
    class RaiseLearningRate(tf.keras.callbacks.Callback):
        def on_epoch_begin(self, epoch, logs=None):
            self.model.optimizer.learning_rate.assign(50.0**epoch)

    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(4, kernel_initializer="ones"), tf.keras.layers.Dense(1)]
    )
    model.compile(optimizer="sgd", loss="mse")
    callbacks = [RaiseLearningRate()]
    model.fit(X, Y, epochs=6, batch_size=8, verbose=0, callbacks=callbacks)  # <- cause


def nan_in_the_labels():
    labels = Y.copy()
    labels[5] = np.nan
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(X, labels, epochs=1, batch_size=4, shuffle=False, verbose=0)  # <- cause


def batch_norm_without_epsilon():
    norm = tf.keras.layers.BatchNormalization(epsilon=0.0)

    @tf.function
    def forward(x):
        return tf.reduce_sum(norm(x, training=True))  # <- cause

    forward(tf.ones([4, 2]))


def bad_initializer():
    dense = tf.keras.layers.Dense(1, kernel_initializer=tf.keras.initializers.Constant(1e38))

    @tf.function
    def forward(x):
        return dense(x)  # <- cause

    forward(tf.fill([2, 8], 2.0))


def float16_policy():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    dense = tf.keras.layers.Dense(2, kernel_initializer="ones")
    tf.keras.mixed_precision.set_global_policy("float32")

    @tf.function
    def forward(x):
        return dense(x)  # <- cause

    forward(tf.fill([2, 64], 3000.0))
