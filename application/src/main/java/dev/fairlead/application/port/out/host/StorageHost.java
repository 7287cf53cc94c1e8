package dev.fairlead.application.port.out.host;

/**
 * Describes the machine that a connection's storage is on.
 *
 * @param local whether it is this machine
 * @param sudo how a user who is not root runs a program as root there
 */
public record StorageHost(CommandRunner runner, boolean local, Elevation sudo) {}
