/** The client of a TrueNAS box: calls, whatever its release names them and by whichever transport it takes them. */
@NullMarked
package dev.fairlead.adapter.freenas.client;

import org.jspecify.annotations.NullMarked;
