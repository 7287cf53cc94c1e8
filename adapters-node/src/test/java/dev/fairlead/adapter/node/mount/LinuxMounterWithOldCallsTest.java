package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.port.out.node.Mounter;

/** The same promises where the kernel has only mount(2) and the mount table. */
class LinuxMounterWithOldCallsTest extends LinuxMounterTest {
    @Override
    public Mounter mounter() {
        return MountSandbox.mounter(false);
    }
}
