/** What the exporters of a TrueNAS box have in common, whatever their protocol. */
@NullMarked
package dev.fairlead.adapter.freenas.export;

import org.jspecify.annotations.NullMarked;
