/** Who calls: accounts, keys, logins and their limits; and what the API says of itself. */
@NullMarked
package dev.fairlead.simulator.core;

import org.jspecify.annotations.NullMarked;
