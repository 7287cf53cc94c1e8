/** Compares the roles of a credential of a TrueNAS box with those that a connection's calls need. */
@NullMarked
package dev.fairlead.adapter.freenas.roles;

import org.jspecify.annotations.NullMarked;
