"""Reader of the TRTC knowledge base, in both of its layouts."""
