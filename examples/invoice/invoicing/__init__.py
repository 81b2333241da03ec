"""Invoices in whole cents."""
