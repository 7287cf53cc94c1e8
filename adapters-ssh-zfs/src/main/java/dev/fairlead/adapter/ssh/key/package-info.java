/** Ed25519 keys by the JDK's own implementation. */
@NullMarked
package dev.fairlead.adapter.ssh.key;

import org.jspecify.annotations.NullMarked;
