"""What happened when tests ran: environment, process, the parent side of the pipe."""
