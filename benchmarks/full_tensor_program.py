"""A program whose tensors are recorded whole: `python -m benchmarks.full_tensor_program LOGDIR`.

Trains a small network for a few steps in FULL_TENSOR mode, in a function and by eager ops. What
flows through it is a batch of 64 rows of 32 to 128 numbers: 8 to 32 KiB a tensor. In the last
steps the rate of learning is absurd, so that some tensors end in NaN.
"""

from __future__ import annotations

import itertools
import os
import sys


def main() -> None:
    """Runs the program."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")
    import tensorflow as tf

    (logdir,) = sys.argv[1:]
    tf.debugging.experimental.enable_dump_debug_info(
        logdir, tensor_debug_mode="FULL_TENSOR", circular_buffer_size=-1
    )
    tf.random.set_seed(1)
    sizes = (128, 64, 128, 32)
    weights = [
        tf.Variable(tf.random.normal([rows, columns], stddev=0.1))
        for rows, columns in itertools.pairwise(sizes)
    ]

    @tf.function  # type: ignore[untyped-decorator]
    def train_step(batch: tf.Tensor, rate: tf.Tensor) -> None:
        with tf.GradientTape() as tape:
            flowing = batch
            for weight in weights:
                flowing = tf.nn.softplus(tf.matmul(flowing, weight) + 0.1)
            loss = tf.reduce_mean(tf.square(flowing - batch[:, : sizes[-1]]))
        for weight, gradient in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(rate * gradient)

    for step in range(40):
        batch = tf.nn.relu(tf.random.normal([64, sizes[0]]) + 0.5) * 0.5
        train_step(batch, tf.constant(0.01 if step < 36 else 1e30))
    tf.debugging.experimental.disable_dump_debug_info()


if __name__ == "__main__":
    main()
