/** ControllerPublishVolume and ControllerUnpublishVolume: which nodes a closed volume lets in. */
@NullMarked
package dev.fairlead.application.service.publish;

import org.jspecify.annotations.NullMarked;
