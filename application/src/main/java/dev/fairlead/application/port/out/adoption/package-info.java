/** Makes volumes of another provisioner this driver's. */
@NullMarked
package dev.fairlead.application.port.out.adoption;

import org.jspecify.annotations.NullMarked;
