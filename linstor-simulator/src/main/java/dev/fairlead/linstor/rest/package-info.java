/** Serves the simulated LINSTOR by HTTP, rightly and wrongly. */
@NullMarked
package dev.fairlead.linstor.rest;

import org.jspecify.annotations.NullMarked;
