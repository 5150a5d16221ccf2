// The page with drawings in space; modules are evaluated in this order.
import "./scene/register";
import "./main";
