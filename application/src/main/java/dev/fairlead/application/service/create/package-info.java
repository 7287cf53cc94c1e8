/** CreateVolume, from the choice of a connection to a volume that is exported and noted. */
@NullMarked
package dev.fairlead.application.service.create;

import org.jspecify.annotations.NullMarked;
