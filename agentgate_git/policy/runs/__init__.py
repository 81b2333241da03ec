"""What runs of tests say, and who may say it: packets, credit, sealed runs and freezes."""
