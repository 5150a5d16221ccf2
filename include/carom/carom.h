/* carom: motions with impacts, unilateral contact, clearance and dry friction. All public headers. */
#ifndef CAROM_H
#define CAROM_H

#include "carom/analyse.h"
#include "carom/bar.h"
#include "carom/base.h"
#include "carom/bipotential.h"
#include "carom/contact.h"
#include "carom/convex.h"
#include "carom/cylinder.h"
#include "carom/drill.h"
#include "carom/expr.h"
#include "carom/frame.h"
#include "carom/io.h"
#include "carom/law.h"
#include "carom/linalg.h"
#include "carom/model.h"
#include "carom/modes.h"
#include "carom/orbit.h"
#include "carom/scheme.h"
#include "carom/sink.h"

#endif
