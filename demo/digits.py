"""Trains a small classifier of handwritten digits that goes wrong, so that there is a bug to find.

The digits are the 1,797 real ones that scikit-learn ships; nothing is downloaded. Layers, loss and
optimizer are written out by hand, as in TensorFlow's tutorial on Debugger V2, and so is the bug:
accuracy should climb above 0.9 but stays near 0.1, what guessing gives. Dump what TensorFlow
computes and look for the cause in TensorBoard:

    python demo/digits.py --dump_dir=/tmp/digits
    tensorboard --logdir=/tmp/digits

``--fix`` trains the same model with the bug removed.
"""

import argparse
import os
from collections.abc import Callable

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")  # TensorFlow reads it when it is imported.

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits

PIXELS = 64
CLASSES = 10
TEST_DIGITS = 360


class Dense(tf.Module):
    """A fully connected layer."""

    def __init__(self, inputs: int, units: int, activation: Callable[[tf.Tensor], tf.Tensor]):
        super().__init__()
        self.kernel = tf.Variable(tf.random.normal([inputs, units], stddev=0.2), name="kernel")
        self.bias = tf.Variable(tf.zeros([units]), name="bias")
        self.activation = activation

    def __call__(self, x: tf.Tensor) -> tf.Tensor:
        """The layer's outputs for a batch of inputs."""
        return self.activation(tf.matmul(x, self.kernel) + self.bias)


class Classifier(tf.Module):
    """A multi-layer perceptron: pixels in, one probability for each class out."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden1 = Dense(PIXELS, 128, tf.nn.relu)
        self.hidden2 = Dense(128, 64, tf.nn.relu)
        self.output = Dense(64, CLASSES, tf.nn.softmax)

    @tf.function
    def __call__(self, images: tf.Tensor) -> tf.Tensor:
        """The probabilities for a batch of images."""
        return self.output(self.hidden2(self.hidden1(images)))


class Adam(tf.Module):
    """The Adam optimizer."""

    def __init__(self, variables: tuple[tf.Variable, ...], learning_rate: float):
        super().__init__()
        self.learning_rate = learning_rate
        self.variables_ = variables
        self.mean = [tf.Variable(tf.zeros_like(v), name="mean") for v in variables]
        self.square = [tf.Variable(tf.zeros_like(v), name="square") for v in variables]
        self.step = tf.Variable(0.0, name="step")

    @tf.function
    def apply(self, gradients: list[tf.Tensor]) -> None:
        """Moves the variables one step downhill."""
        step = self.step.assign_add(1.0)
        rate = self.learning_rate * tf.sqrt(1.0 - 0.999**step) / (1.0 - 0.9**step)
        for variable, gradient, mean, square in zip(
            self.variables_, gradients, self.mean, self.square, strict=True
        ):
            mean.assign(0.9 * mean + 0.1 * gradient)
            square.assign(0.999 * square + 0.001 * tf.square(gradient))
            variable.assign_sub(rate * mean / (tf.sqrt(square) + 1e-7))


@tf.function
def cross_entropy(probabilities: tf.Tensor, labels: tf.Tensor, fix: bool) -> tf.Tensor:
    """The loss: how surprised the model is by the labels."""
    if fix:
        probabilities = tf.clip_by_value(probabilities, 1e-30, 1.0)
    # The bug. Softmax gives e^-104 and less as exactly 0; log(0) is -inf, and 0 * -inf is NaN.
    surprise = -labels * tf.math.log(probabilities)
    return tf.reduce_mean(tf.reduce_sum(surprise, axis=1))


def train_step(
    model: Classifier, optimizer: Adam, images: tf.Tensor, labels: tf.Tensor, fix: bool
) -> None:
    """Trains the model on one batch."""
    with tf.GradientTape() as tape:
        loss = cross_entropy(model(images), labels, fix)
    optimizer.apply(tape.gradient(loss, optimizer.variables_))


def accuracy(model: Classifier, images: tf.Tensor, digits: tf.Tensor) -> float:
    """The share of the images that the model takes for the right digit."""
    right = tf.equal(tf.argmax(model(images), axis=1), digits)
    return float(tf.reduce_mean(tf.cast(right, tf.float32)))


def parse_flags() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description="Train a classifier of handwritten digits whose loss takes log(0).",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    add = parser.add_argument
    add("--max_steps", type=int, default=50, help="batches to train on")
    add("--train_batch_size", type=int, default=256, help="digits in a batch")
    add("--learning_rate", type=float, default=0.01, help="Adam's learning rate")
    add("--seed", type=int, default=4, help="seed of the weights and of the order of the digits")
    add("--fix", action="store_true", help="keep probabilities above 0, so that it trains")
    add("--check_numerics", action="store_true", help="stop at the first NaN or infinity")
    add("--dump_dir", help="where to dump what TensorBoard's debugger shows; no dump without it")
    add(
        "--dump_tensor_debug_mode",
        default="FULL_HEALTH",
        choices=[
            "NO_TENSOR",
            "CURT_HEALTH",
            "CONCISE_HEALTH",
            "FULL_HEALTH",
            "SHAPE",
            "FULL_TENSOR",
        ],
        help="what to dump of each tensor",
    )
    add(
        "--dump_circular_buffer_size",
        type=int,
        default=-1,
        help="dump only this many last executions and graph tensors; all if 0 or less",
    )
    flags = parser.parse_args()
    if flags.check_numerics and flags.dump_dir:
        parser.error("--check_numerics and --dump_dir exclude each other")
    return flags


def main() -> None:
    """Trains, and prints the accuracy on digits not trained on after each step."""
    flags = parse_flags()
    if flags.check_numerics:
        tf.debugging.enable_check_numerics()
    if flags.dump_dir:
        tf.debugging.experimental.enable_dump_debug_info(
            flags.dump_dir,
            tensor_debug_mode=flags.dump_tensor_debug_mode,
            circular_buffer_size=flags.dump_circular_buffer_size,
        )

    tf.random.set_seed(flags.seed)
    order = np.random.default_rng(flags.seed)
    images, digits = load_digits(return_X_y=True)
    shuffled = order.permutation(len(digits))
    images, digits = images[shuffled].astype(np.float32), digits[shuffled]
    test_images, test_digits = tf.constant(images[:TEST_DIGITS]), tf.constant(digits[:TEST_DIGITS])
    train_images, train_digits = images[TEST_DIGITS:], digits[TEST_DIGITS:]

    model = Classifier()
    optimizer = Adam(model.trainable_variables, flags.learning_rate)
    for step in range(flags.max_steps):
        batch = order.integers(len(train_digits), size=flags.train_batch_size)
        labels = tf.one_hot(train_digits[batch], CLASSES)
        train_step(model, optimizer, tf.constant(train_images[batch]), labels, flags.fix)
        print(f"Accuracy at step {step}: {accuracy(model, test_images, test_digits):.4f}")


if __name__ == "__main__":
    main()
