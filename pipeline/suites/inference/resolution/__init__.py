"""Resolution: from the clues that the evidence has left to one specification per parameter."""
