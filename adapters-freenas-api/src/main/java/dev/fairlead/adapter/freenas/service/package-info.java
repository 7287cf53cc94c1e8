/** Tells whether the service runs by which a TrueNAS box gives volumes to nodes. */
@NullMarked
package dev.fairlead.adapter.freenas.service;

import org.jspecify.annotations.NullMarked;
