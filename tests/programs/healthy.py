"""Programs without a bug, some of which compute with infinities and NaN on purpose."""

import numpy as np
import tensorflow as tf


def masked_attention():
    mask = tf.linalg.band_part(tf.ones([3, 3]), -1, 0)

    @tf.function
    def attend(queries, keys):
        scores = tf.matmul(queries, keys, transpose_b=True)
        return tf.nn.softmax(tf.where(mask > 0.0, scores, -np.inf))

    attend(tf.ones([3, 2]) * 0.5, tf.ones([3, 2]) * 0.3)


def added_mask():
    @tf.function
    def attend(scores):
        mask = tf.constant([0.0, 0.0, -np.inf])
        return tf.nn.softmax(scores + mask)

    attend(tf.ones([2, 3]) * 0.5)


def padded_with_infinity():
    @tf.function
    def nearest(distances):
        padded = tf.pad(distances, [[0, 2]], constant_values=np.inf)
        return tf.reduce_min(padded)

    nearest(tf.constant([3.0, 2.0]) * 1.0)


def initial_minimum():
    @tf.function
    def smallest(x):
        best = tf.constant(np.inf)
        for row in x:
            best = tf.minimum(best, row)
        return best

    smallest(tf.constant([3.0, 2.0]) * 1.0)


def nan_selected_away():
    @tf.function
    def fill(x):
        return tf.reduce_sum(tf.where(x < 1e6, x, np.nan))

    fill(tf.constant([3.0, 2.0]) * 1.0)


def dropout():
    layer = tf.keras.layers.Dropout(0.9)

    @tf.function
    def forward(x):
        return layer(x, training=True)

    forward(tf.ones([4, 4]))


def batch_norm():
    model = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    model.fit(np.ones([8, 2]), np.ones([8, 1]), epochs=1, batch_size=4, verbose=0)


def learning_rate_schedule():
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 2, 0.5)
    optimizer = tf.keras.optimizers.SGD(schedule)
    weight = tf.Variable([1.0, 2.0])

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(weight * x))
        optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])

    for _ in range(4):
        train_step(tf.ones([2]))


def early_stopping():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    stop = tf.keras.callbacks.EarlyStopping(monitor="loss", patience=1)
    model.fit(np.ones([4, 2]), np.ones([4, 1]), epochs=2, verbose=0, callbacks=[stop])


def double_where():
    @tf.function
    def gradient(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            safe = tf.where(x > 0.0, x, 1.0)
            y = tf.reduce_sum(tf.where(x > 0.0, tf.math.log(safe), 0.0))
        return tape.gradient(y, x)

    gradient(tf.nn.relu(tf.constant([-1.0, 4.0])))


def clipped_norm():
    @tf.function
    def clip(x):
        return tf.clip_by_norm(x, 1.0) + tf.clip_by_global_norm([x], 1.0)[0]

    clip(tf.constant([30.0, 40.0]) * 1.0)


def mask_by_logarithm():
    @tf.function
    def attend(scores, mask):
        return tf.nn.softmax(scores + tf.math.log(mask))

    attend(tf.ones([2, 3]), tf.constant([1.0, 0.0, 1.0]) * 1.0)


def gradient_through_a_mask():
    weight = tf.Variable([0.5, 0.1, 0.2])

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            scores = tf.where(x > 0.0, weight * x, -np.inf)
            loss = tf.reduce_max(tf.nn.softmax(scores))
        weight.assign_sub(0.1 * tape.gradient(loss, weight))

    for _ in range(2):
        train_step(tf.constant([1.0, -1.0, 2.0]))


def best_score_so_far():
    best = tf.Variable(-np.inf)

    @tf.function
    def remember(score):
        best.assign(tf.maximum(best, score))

    remember(tf.constant(1.0) * 0.5)
    remember(tf.constant(2.0) * 0.5)


def harmonic_mean():
    @tf.function
    def parallel(x):
        return 1.0 / tf.reduce_sum(1.0 / x)

    parallel(tf.nn.relu(tf.constant([-1.0, 2.0])))


def logistic():
    @tf.function
    def logistic(x):
        return 1.0 / (1.0 + tf.exp(-x))

    logistic(tf.constant([-200.0, 2.0]) * 1.0)


def beam_search():
    @tf.function
    def step(scores):
        beams = tf.concat([tf.zeros([1]), tf.fill([2], -np.inf)], 0)
        for _ in tf.range(3):
            beams, _ = tf.math.top_k(beams[:1] + scores, 3)
        return beams

    step(tf.constant([0.1, 0.2, 0.3]) * 1.0)


def metric_of_nothing():
    metric = tf.keras.metrics.Mean()

    @tf.function
    def forward(x):
        finite = tf.where(tf.math.is_finite(x), x, tf.zeros_like(x))
        return tf.reduce_sum(finite)

    forward(tf.constant([1.0, 2.0]))
    metric.result()


def eager_masked_attention():
    scores = tf.ones([2, 3]) * 0.5
    tf.nn.softmax(tf.where(tf.constant([True, False, True]), scores, -np.inf))


def eager_padding():
    padded = tf.concat([tf.constant([1.0, 2.0]) * 1.0, tf.fill([2], np.inf)], 0)
    tf.reduce_min(padded) + 1.0


def mask_of_a_function():
    @tf.function
    def mask(size):
        return tf.where(tf.linalg.band_part(tf.ones([size, size]), -1, 0) > 0.0, 0.0, -np.inf)

    @tf.function
    def attend(scores, mask):
        return tf.nn.softmax(scores + mask)

    attend(tf.ones([3, 3]) * 0.5, mask(3))


def loss_scale():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    tf.keras.mixed_precision.set_global_policy("float32")
    # Until the scale fits the range.
    model.fit(np.ones([4, 2], np.float32), np.ones([4, 1], np.float32), epochs=12, verbose=0)


def shortest_paths():
    distances = tf.Variable([0.0, np.inf, np.inf])

    @tf.function
    def relax(weights):
        distances.assign(tf.minimum(distances, tf.reduce_min(distances[:, None] + weights, 0)))

    for _ in range(3):
        relax(tf.ones([3, 3]))


def connectionist_temporal_classification():
    weight = tf.Variable(tf.random.stateless_normal([3, 5], seed=(1, 2)))

    @tf.function
    def train_step(frames, labels):
        with tf.GradientTape() as tape:
            logits = tf.tensordot(frames, weight, 1)
            losses = tf.nn.ctc_loss(labels, logits, [2, 3], [6, 6], blank_index=0)
            loss = tf.reduce_mean(losses)
        weight.assign_sub(0.1 * tape.gradient(loss, weight))
        return loss

    for _ in range(3):
        train_step(tf.ones([6, 2, 3]) * 0.5, tf.constant([[1, 2, 0], [3, 3, 4]]))


def guarded_logarithm():
    @tf.function
    def entropy(p):
        return -tf.reduce_sum(tf.where(p > 0.0, p * tf.math.log(p), 0.0))

    entropy(tf.constant([0.0, 0.5, 0.5]) * 1.0)


def guarded_division_eager():
    counts = tf.constant([0.0, 2.0]) * 1.0
    tf.reduce_sum(tf.where(counts > 0.0, counts / counts, tf.zeros_like(counts)))


def classes_without_elements():
    @tf.function
    def mean_of_classes(x, y):
        means = tf.stack([tf.reduce_mean(tf.boolean_mask(x, y == number)) for number in range(3)])
        return tf.reduce_mean(tf.boolean_mask(means, tf.math.is_finite(means)))

    mean_of_classes(tf.constant([1.0, 2.0, 3.0]) * 1.0, tf.constant([0, 1, 1]))


def maximum_of_empty_segments():
    weight = tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            pooled = tf.math.unsorted_segment_max(weight, tf.constant([0, 0, 2]), 4)
            loss = tf.reduce_sum(pooled[::2])
        weight.assign_sub(0.1 * tape.gradient(loss, weight))

    train_step()


def rows_dropped_by_a_pipeline():
    rows = np.ones([8, 2], np.float32)
    rows[3, 1] = np.nan
    dataset = tf.data.Dataset.from_tensor_slices(rows)
    dataset = dataset.filter(lambda row: not tf.reduce_any(tf.math.is_nan(row))).batch(4)

    @tf.function
    def mean(x):
        return tf.reduce_mean(x * 2.0)

    for batch in dataset:
        mean(batch)


def mask_from_a_pipeline():
    dataset = tf.data.Dataset.from_tensor_slices(np.array([[1, -1, 2], [3, 1, -2]], np.float32))
    dataset = dataset.map(lambda x: (x, tf.where(x > 0.0, 0.0, -np.inf))).batch(2)

    @tf.function
    def attend(scores, mask):
        return tf.nn.softmax(scores + mask)

    for scores, mask in dataset:
        attend(scores, mask)


def range_found_by_a_loss_scale():
    weight, scale = tf.Variable(tf.ones([4, 1])), tf.Variable(2.0**15)

    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            predicted = tf.cast(x, tf.float16) @ tf.cast(weight, tf.float16)
            loss = tf.reduce_mean((tf.cast(predicted, tf.float32) - 30.0) ** 2)
            scaled = loss * scale
        gradient = tape.gradient(scaled, weight) / scale
        if tf.reduce_all(tf.math.is_finite(gradient)):
            weight.assign_sub(0.001 * gradient)
        else:
            scale.assign(scale / 4.0)

    for _ in range(6):
        train_step(tf.ones([8, 4]))


def unreachable_nodes():
    distances = tf.Variable([0.0, np.inf, np.inf])
    lengths = tf.constant([[0.0, 1.0, np.inf], [1.0, 0.0, np.inf], [np.inf, np.inf, 0.0]])

    @tf.function
    def relax():
        distances.assign(tf.minimum(distances, tf.reduce_min(distances[:, None] + lengths, 0)))

    for _ in range(3):
        relax()


def actions_chosen_in_numpy():
    @tf.function
    def values(states, is_legal):
        return tf.where(is_legal, states * 2.0, -np.inf)

    scores = values(tf.ones([2, 3]), tf.constant([[True, False, True], [True, True, False]]))
    scores.numpy().argmax(axis=1)


def least_value_as_a_metric():
    class Least(tf.keras.metrics.Metric):
        def __init__(self):
            super().__init__(name="least")
            initial = tf.keras.initializers.Constant(np.inf)
            self.least = self.add_weight(name="least", initializer=initial)

        def update_state(self, y_true, y_pred, sample_weight=None):
            self.least.assign(tf.minimum(self.least, tf.reduce_min(y_pred)))

        def result(self):
            return self.least

        def reset_state(self):
            self.least.assign(np.inf)

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", metrics=[Least()])
    model.fit(np.ones([4, 2]), np.ones([4, 1]), epochs=2, verbose=0)


def actions_chosen_in_numpy_eager():
    scores = tf.constant([[1.0, 2.0, 3.0]]) * 1.0
    masked = tf.where(tf.constant([[True, False, True]]), scores, -np.inf)
    masked.numpy().argmax(axis=1)


def missing_values_filled_in_a_model():
    rows = np.ones([8, 2], np.float32)
    rows[3, 1] = np.nan
    given = tf.keras.Input([2])
    filled = tf.keras.layers.Lambda(lambda x: tf.where(tf.math.is_nan(x), tf.zeros_like(x), x))
    model = tf.keras.Model(given, tf.keras.layers.Dense(1)(filled(given)))
    model.compile("sgd", "mse")
    model.fit(rows, np.ones([8, 1]), batch_size=4, verbose=0)
