/** How the volumes of a node are, and how full they are. */
@NullMarked
package dev.fairlead.application.service.health;

import org.jspecify.annotations.NullMarked;
