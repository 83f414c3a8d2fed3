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


def custom_train_step():
    class Model(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(1, kernel_initializer="ones")

        def call(self, x):
            return self.dense(x)

        def train_step(self, data):
            x, y = data
            with tf.GradientTape() as tape:
                rate = tf.nn.relu(self(x, training=True))
                loss = tf.reduce_mean(rate - y * tf.math.log(rate))  # <- cause
            gradients = tape.gradient(loss, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            return {"loss": loss}

    model = Model()
    model.compile(optimizer="sgd")
    x = np.array([[1.0, 1.0], [-1.0, -1.0]], np.float32)
    model.fit(x, np.ones([2, 1], np.float32), epochs=2, verbose=0)


def recurrent_layer():
    large = tf.keras.initializers.Constant(100.0)
    layer = tf.keras.layers.SimpleRNN(
        2, "relu", kernel_initializer="ones", recurrent_initializer=large
    )

    @tf.function
    def forward(x):
        return tf.reduce_sum(layer(x))  # <- cause

    forward(tf.ones([1, 40, 2]))


def weights_set_from_an_array():
    dense = tf.keras.layers.Dense(1)
    dense.build([None, 2])
    dense.set_weights([np.array([[1.0], [np.nan]]), np.zeros([1])])  # <- cause

    @tf.function
    def forward(x):
        return dense(x)

    forward(tf.ones([2, 2]))


def sample_weights():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    weights = np.array([1.0, np.inf, 1.0, 1.0], np.float32)
    model.fit(np.ones([4, 2]), np.ones([4, 1]), sample_weight=weights, verbose=0)  # <- cause


def functional_lambda():
    inputs = tf.keras.Input([2])
    ratio = tf.keras.layers.Lambda(lambda x: x[:, :1] / x[:, 1:])(inputs)  # <- cause
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(ratio))
    model.compile(optimizer="adam", loss="mse")
    x = np.array([[1.0, 2.0], [1.0, 0.0]], np.float32)
    model.fit(x, np.ones([2, 1], np.float32), verbose=0)


def in_a_prediction():
    def logarithm(x):
        return tf.math.log(x)  # <- cause

    model = tf.keras.Sequential([tf.keras.layers.Lambda(logarithm)])
    model.predict(np.array([[1.0], [0.0]], np.float32), verbose=0)


def run_eagerly():
    def root_error(y_true, y_pred):
        return tf.reduce_mean(tf.sqrt(y_true - y_pred))  # <- cause

    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer="sgd", loss=root_error, run_eagerly=True)
    model.fit(np.ones([4, 2], np.float32), np.ones([4, 1], np.float32), epochs=2, verbose=0)


def embeddings_set_from_an_array():
    embedding = tf.keras.layers.Embedding(4, 3)
    embedding.build(None)
    table = np.ones([4, 3], np.float32)
    table[2] = np.nan
    embedding.embeddings.assign(table)  # <- cause
    recurrent = tf.keras.layers.SimpleRNN(2)

    @tf.function
    def forward(ids):
        return recurrent(embedding(ids))

    forward(tf.constant([[0, 1, 3]]))
    forward(tf.constant([[0, 2, 3]]))


def schedule_at_step_zero():
    class InverseRoot(tf.keras.optimizers.schedules.LearningRateSchedule):
        def __call__(self, step):
            return 0.1 * tf.math.rsqrt(tf.cast(step, tf.float32))  # <- cause

    optimizer = tf.keras.optimizers.SGD(InverseRoot())
    weight = tf.Variable([1.0, 2.0])

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weight * x)
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
        return loss

    for _ in range(3):
        train_step(tf.constant([0.0, 1.0]))
