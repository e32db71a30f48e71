"""The five strategies over TRTC slices, and what orders, filters, loads and sums up their hits."""
