import { Component } from '@angular/core';
@Component({ selector: 'tbd-root', template: 'x' })
export class App {}
