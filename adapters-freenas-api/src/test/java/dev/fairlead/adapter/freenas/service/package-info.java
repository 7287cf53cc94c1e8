/** Tests of what is told of a service that is off. */
@NullMarked
package dev.fairlead.adapter.freenas.service;

import org.jspecify.annotations.NullMarked;
