"""Building a card abstraction: features of hands, their clustering, presets, estimates and pictures.

`abstraction.bucketing` opens what is built here, and everybody else asks that module.
"""
