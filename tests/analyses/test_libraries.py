from __future__ import annotations

import pytest

from tb_debugger_plugin.analyses.libraries import library_of


@pytest.mark.parametrize(
    "path",
    [
        "/home/dev/project/train.py",
        "train.py",
        "/home/dev/site-packages.py",
        "/home/dev/my_site-packages/model.py",
        "/home/dev/python/lib.py",
        "/home/dev/lib/model.py",
        "/home/dev/tensorflow/models/train.py",
        "/home/dev/keras_project/python/train.py",
        "/tmp/ipykernel_1/1.py",
        "/tmp/ipykernel_4711/2938472938.py",
        "<ipython-input-1-abc>",
        "<stdin>",
        "<string>",
        "",
        r"C:\Users\dev\project\train.py",
        "/Users/ü/ロス.py",
        "/home/dev/anaconda3/train.py",
        "/content/drive/MyDrive/train.py",
        "/opt/python3/project/train.py",
    ],
)
def test_a_file_of_the_user(path: str) -> None:
    assert library_of(path) is None


@pytest.mark.parametrize(
    ("path", "library"),
    [
        ("/usr/lib/python3/dist-packages/tensorflow/python/eager/def_function.py", "TensorFlow"),
        ("/v/lib/python3.11/site-packages/tensorflow/python/util/traceback_utils.py", "TensorFlow"),
        ("/v/lib64/python3.11/site-packages/keras/src/models/model.py", "Keras"),
        ("/v/lib/python3.11/site-packages/tf_keras/src/engine/training.py", "Keras"),
        ("/v/lib/python3.11/site-packages/numpy/core/numeric.py", "NumPy"),
        ("/v/lib/python3.11/site-packages/six.py", "six"),
        ("/v/lib/python3.11/site-packages/IPython/core/interactiveshell.py", "IPython"),
        ("/v/lib/python3.11/site-packages/ipykernel_launcher.py", "IPython"),
        ("/v/lib/python3.11/site-packages/transformers/trainer.py", "transformers"),
        ("/opt/conda/envs/tf/lib/python3.10/site-packages/absl/app.py", "absl"),
        ("/opt/conda/lib/python3.10/threading.py", "Python"),
        ("/usr/lib/python3.11/threading.py", "Python"),
        ("/usr/lib/python3.11/lib-dynload/x.py", "Python"),
        ("/usr/local/lib/python3.12/concurrent/futures/thread.py", "Python"),
        (
            "/Library/Frameworks/Python.framework/Versions/3.12/lib/python3.12/runpy.py",
            "Python",
        ),
        ("<frozen runpy>", "Python"),
        ("<frozen importlib._bootstrap>", "Python"),
        ("/tmp/__autograph_generated_filex1y2.py", "TensorFlow"),
        (r"C:\Users\dev\Temp\__autograph_generated_file8a.py", "TensorFlow"),
        ("/home/dev/src/tensorflow/tensorflow/python/ops/math_ops.py", "TensorFlow"),
        ("/home/dev/src/keras/keras/src/losses/loss.py", "Keras"),
        (r"C:\venv\Lib\site-packages\tensorflow\python\eager\execute.py", "TensorFlow"),
        (r"C:\Users\dev\AppData\Local\Programs\Python\Python311\Lib\threading.py", "Python"),
        (r"C:\Users\dev\anaconda3\Lib\threading.py", "Python"),
        (r"C:\Users\dev\miniconda3\envs\tf\lib\runpy.py", "Python"),
        (
            r"C:\Program Files\WindowsApps\PythonSoftwareFoundation.Python.3.11_x\Lib\runpy.py",
            "Python",
        ),
    ],
)
def test_a_file_of_a_library(path: str, library: str) -> None:
    assert library_of(path) == library
