/** Attaches shares of SMB servers. */
@NullMarked
package dev.fairlead.adapter.node.smb;

import org.jspecify.annotations.NullMarked;
