
"use strict";
function light(event) {
  var one = event.target.closest && event.target.closest("[data-e]");
  document.querySelectorAll(".lit").forEach(function (lit) { lit.classList.remove("lit") });
  if (one) document.querySelectorAll('[data-e="' + one.dataset.e + '"]').forEach(function (same) { same.classList.add("lit") });
}
document.addEventListener("mouseover", light);
document.addEventListener("focusin", function (event) {
  light({ target: event.target.querySelector && event.target.querySelector("mark[data-e]") || event.target });
});
