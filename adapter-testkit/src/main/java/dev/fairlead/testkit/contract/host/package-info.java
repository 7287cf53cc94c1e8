/** Contracts of what runs commands on a host. */
@NullMarked
package dev.fairlead.testkit.contract.host;

import org.jspecify.annotations.NullMarked;
