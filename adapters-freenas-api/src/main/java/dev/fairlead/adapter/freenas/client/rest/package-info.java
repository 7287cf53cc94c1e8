/** REST, which CORE and SCALE up to 24.10 are spoken to by. */
@NullMarked
package dev.fairlead.adapter.freenas.client.rest;

import org.jspecify.annotations.NullMarked;
