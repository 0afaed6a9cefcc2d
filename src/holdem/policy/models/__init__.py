"""Blueprints that come with the package: packed small, unpacked once into the user's cache, named `models/headsup`.

A model is a folder of three files: `model.json`, a readable manifest with everything about it; `policy.xz`, the
probabilities in coarse steps under LZMA (`coding`); and `buckets.pkl`, the manifest of its card abstraction. To be
played it is unpacked into a folder that looks like a run with an average policy, so that whoever takes a run takes a
model. Listing models brings no Numba.

    for model in shipped_models():
        print(model, model.title)
    run = unpack(find_model(Path("models/headsup")))       # AveragePolicy.load(run)
    pack(Path("runs/mine"), Path("assets/models/mine"), name="mine", title="Mine", training={}, results={})
"""

from holdem.policy.models.catalogue import find_model, model_for, shipped_models, unreadable_models
from holdem.policy.models.manifest import ShippedModel, read_model
from holdem.policy.models.packing import pack
from holdem.policy.models.unpacking import unpack

__all__ = [
    "ShippedModel",
    "find_model",
    "model_for",
    "pack",
    "read_model",
    "shipped_models",
    "unpack",
    "unreadable_models",
]
