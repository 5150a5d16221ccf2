/* carom: motions with impacts, unilateral contact, clearance and dry friction. The engine; what belongs to one
 * paper only is in carom/subject/. */
#ifndef CAROM_H
#define CAROM_H

#include "carom/base.h"
#include "carom/contact.h"
#include "carom/contact/bipotential.h"
#include "carom/convex.h"
#include "carom/expr.h"
#include "carom/io.h"
#include "carom/law.h"
#include "carom/linalg.h"
#include "carom/model.h"
#include "carom/model/beam.h"
#include "carom/model/chain.h"
#include "carom/periodic.h"
#include "carom/run.h"
#include "carom/scheme.h"
#include "carom/shape.h"
#include "carom/survey.h"

#endif
