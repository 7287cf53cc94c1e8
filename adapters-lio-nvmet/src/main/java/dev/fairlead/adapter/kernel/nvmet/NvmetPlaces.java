package dev.fairlead.adapter.kernel.nvmet;

import dev.fairlead.adapter.kernel.host.HostLock;

/**
 * Tells where a storage host has the files of its NVMe target.
 *
 * @param configfs the folder of nvmet
 * @param module a folder that exists while the kernel's module for NVMe targets is loaded
 * @param debugfs the folder in which newer kernels list connections and can end them; it may be missing
 * @param lock the lock that lets one writer at a time, from any process, change the target of this host
 */
record NvmetPlaces(String configfs, String module, String debugfs, HostLock lock) {
    static final NvmetPlaces LINUX = new NvmetPlaces(
            "/sys/kernel/config/nvmet", "/sys/module/nvmet", "/sys/kernel/debug/nvmet", HostLock.of("nvmet"));
}
