package dev.fairlead.testkit.contract.node;

/** Everything that a {@code Mounter} promises. */
public interface MounterContract extends MountDirectoriesContract, MountBindingContract {}
