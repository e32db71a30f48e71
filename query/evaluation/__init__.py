"""Labelled questions -> how good the answers are: figures, calibration, what changed since another run."""
