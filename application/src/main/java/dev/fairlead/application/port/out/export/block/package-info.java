/** Names and addresses of iSCSI and NVMe-oF targets, by the keys that all connections with targets have. */
@NullMarked
package dev.fairlead.application.port.out.export.block;

import org.jspecify.annotations.NullMarked;
