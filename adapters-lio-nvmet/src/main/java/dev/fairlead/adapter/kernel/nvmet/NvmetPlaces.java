package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.adapter.kernel.host.HostLock;

/**
 * Where things are on a storage host.
 *
 * @param configfs the folder of nvmet
 * @param module a folder that is there while the kernel has an NVMe target
 * @param debugfs the folder in which newer kernels tell who is connected, and end that; it may not be there
 * @param lock by which all that write to the target of this host take turns, from whichever process
 */
record NvmetPlaces(String configfs, String module, String debugfs, HostLock lock) {
    static final NvmetPlaces LINUX = new NvmetPlaces(
            "/sys/kernel/config/nvmet", "/sys/module/nvmet", "/sys/kernel/debug/nvmet", HostLock.of("nvmet"));
}
