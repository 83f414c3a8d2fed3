"""HTTP: parameters in, payloads out, one error shape."""
