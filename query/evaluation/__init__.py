"""Labelled queries -> how often the answers are right: figures, calibration, and what changed since another run."""
