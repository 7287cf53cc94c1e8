package dev.fairlead.testkit;

/** Everything that a {@code Mounter} promises. */
public interface MounterContract extends MountDirectoriesContract, MountBindingContract {}
