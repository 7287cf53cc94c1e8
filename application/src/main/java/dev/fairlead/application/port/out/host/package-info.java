/** The interfaces by which programs are run on a storage host. */
@NullMarked
package dev.fairlead.application.port.out.host;

import org.jspecify.annotations.NullMarked;
