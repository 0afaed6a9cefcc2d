"""The kinds of litmus checks, one file each."""
