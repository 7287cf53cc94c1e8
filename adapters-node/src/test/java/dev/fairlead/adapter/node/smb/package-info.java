/** Tests of this package. */
@NullMarked
package dev.fairlead.adapter.node.smb;

import org.jspecify.annotations.NullMarked;
