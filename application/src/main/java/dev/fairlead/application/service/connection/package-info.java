/** The connections that are loaded, their versions, their threads, and which of them a class allows. */
@NullMarked
package dev.fairlead.application.service.connection;

import org.jspecify.annotations.NullMarked;
